// process.binding: constants of handles, and what has public equivalents. The classes of handles are left out.
const same = { cares_wrap: ['AF_INET', 'AF_INET6', 'AF_UNSPEC', 'AI_ADDRCONFIG', 'AI_ALL', 'AI_V4MAPPED', 'DNS_ORDER_VERBATIM', 'DNS_ORDER_IPV4_FIRST', 'DNS_ORDER_IPV6_FIRST'], pipe_wrap: ['constants'], tcp_wrap: ['constants'], udp_wrap: ['constants'], stream_wrap: ['kReadBytesOrError', 'kArrayBufferOffset', 'kBytesWritten', 'kLastWriteWasAsync', 'kLastWriteErr'], tls_wrap: ['HAVE_SSL_TRACE'], js_stream: [], fs_event_wrap: [], contextify: [], icu: [] };
for (const [name, members] of Object.entries(same)) { const b = process.binding(name); console.log(name, typeof b, members.map((m) => JSON.stringify(b[m])).join()); }
const { canonicalizeIP } = process.binding('cares_wrap');
for (const t of ['1.2.3.4', '::1', '0:0:0:0:0:0:0:1', 'x', '2001:DB8:0:0::1', '::ffff:1.2.3.4', 'fe80::1%lo']) console.log(t, canonicalizeIP(t));
const icu = process.binding('icu');
console.log(icu.getStringWidth('a你'), icu.transcode(Buffer.from('é'), 'utf8', 'latin1'), icu.hasConverter('utf-8'), icu.hasConverter('nope'), icu.hasConverter('shift_jis'));
const { ContextifyScript } = process.binding('contextify');
console.log(typeof ContextifyScript);
