"""npm's settings for registries."""

from __future__ import annotations

from pathlib import Path

from rt_supervisor.packages.npmrc import RegistrySettings, read_settings


def test_settings(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "project/package.json").write_text("{}")
    (tmp_path / "home/.npmrc").write_text('registry=https://user.example\n; note\n//u.example/:_authToken="t"\n')
    (tmp_path / "project/.npmrc").write_text(
        "registry = https://${HOST}/npm\n//u.example/x/:_auth=pair\n# c\noffline\n"
    )
    environment = {"HOME": str(tmp_path / "home"), "HOST": "project.example", "npm_config_@s:registry": "http://s/"}
    settings = read_settings(str(tmp_path / "project/src"), environment)
    assert settings.registry_of("a") == "https://project.example/npm/"
    assert settings.registry_of("@s/a") == "http://s/"
    assert settings.authorization("https://u.example/a") == "Bearer t"
    assert settings.authorization("https://u.example/x/a") == "Basic pair"
    assert settings.authorization("https://other.example/a") is None
    assert not settings.is_offline
    environment |= {"NPM_CONFIG_OFFLINE": "true", "NPM_CONFIG_REGISTRY": "http://e"}
    settings = read_settings(str(tmp_path), environment)
    assert settings.is_offline
    assert settings.registry_of("a") == "http://e/"


def test_settings_with_the_same_registries_share_a_key() -> None:
    def key(**values: str) -> str:
        return RegistrySettings({name.replace("_", ":"): value for name, value in values.items()}).registries_key

    public = key()
    assert key(registry="https://registry.npmjs.org") == public
    assert key(**{"@a_registry": "https://registry.npmjs.org/"}) == public, "a scope of the default registry"
    keys = {
        public,
        key(registry="http://a/"),
        key(registry="http://b/"),
        key(**{"@a_registry": "http://a/"}),
        key(**{"@b_registry": "http://a/"}),
        key(registry="http://b/", **{"@a_registry": "http://a/"}),
    }
    assert len(keys) == 6
    assert all(len(each) == 16 and each.isalnum() for each in keys)
