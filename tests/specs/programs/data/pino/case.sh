node a.mjs 2>&1
printf '%s\n' '{"level":30,"time":0,"msg":"hi","a":{"b":1}}' 'no json' '{"level":50,"time":1000,"err":{"type":"Error","message":"m","stack":"Error: m"},"msg":"bad"}' | pino-pretty --colorize=false -t 'UTC:HH:MM:ss' 2>&1
printf '%s\n' '{"level":30,"time":0,"msg":"hi","a":1}' | pino-pretty -C -S -i time,a 2>&1
