# A Debian image with rt, from the wheel that `scripts/wheel` has written to dist/:
#   docker build -t rt . && docker run --rm -v "$PWD:/work" rt run build
FROM python:3.13-slim-trixie
COPY dist/*.whl /tmp/
RUN pip install --no-cache-dir /tmp/*.whl && rm -rf /tmp/*.whl /usr/local/lib/python3.13/ensurepip \
    && useradd --create-home rt
USER rt
WORKDIR /work
ENTRYPOINT ["rt"]
