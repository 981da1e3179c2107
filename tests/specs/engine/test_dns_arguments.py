"""Arguments that node:dns rejects before it sends a query."""

from __future__ import annotations

from rig import Box


def test_servers_and_addresses(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const dns = require('dns');
                const report = (call) => { try { console.log(call()); } catch (error) { console.log(error.code, error.message); } };
                const resolver = new dns.Resolver();
                for (const addresses of [['127.0.0.1', '127.0.0.1'], ['bad'], [1], ['::1', '127.0.0.1']])
                  report(() => resolver.setLocalAddress(...addresses));
                resolver.setServers(['127.0.0.1:9', , '127.0.0.2']);
                console.log(resolver.getServers().join());
                resolver.resolve('localhost', (error) => console.log(error.code));
                report(() => resolver.setServers(['127.0.0.1']));
                dns.resolve('localhost', () => {});
                report(() => dns.setServers(['127.0.0.1:9']));
                report(() => dns.promises.lookup({}));
                report(() => dns.promises.lookupService('x', 1));
                resolver.cancel();
                setImmediate(() => process.exit());
            """
        }
    )
    assert box.run("a.cjs").stdout.decode().splitlines() == [
        "ERR_INVALID_ARG_VALUE Cannot specify two IPv4 addresses.",
        "ERR_INVALID_ARG_VALUE Invalid IP address.",
        'ERR_INVALID_ARG_TYPE The "ipv4" argument must be of type string. Received type number (1)',
        "undefined",
        "127.0.0.1:9,127.0.0.2",
        "ERR_DNS_SET_SERVERS_FAILED c-ares failed to set servers: \"There are pending queries.\" [[ '127.0.0.1' ]]",
        "undefined",
        'ERR_INVALID_ARG_TYPE The "hostname" argument must be of type string. Received an instance of Object',
        "ERR_INVALID_ARG_VALUE The argument 'address' is invalid. Received 'x'",
        "ECANCELLED",
    ]
