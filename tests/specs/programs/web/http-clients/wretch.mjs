import wretch from 'wretch';
import FormDataAddon from 'wretch/addons/formData';
import Q from 'wretch/addons/queryString';
import AbortAddon from 'wretch/addons/abort';
import { retry } from 'wretch/middlewares/retry';
import { server, say } from './clients_server.mjs';
const { base, stop } = await server();
const t = say(base);
const w = wretch(base).addon(FormDataAddon).addon(Q).addon(AbortAddon());
await t('get', () =>
  w
    .url('/echo')
    .query({ a: [1, 2] })
    .get()
    .json(),
);
await t('post', () => w.url('/echo').auth('Bearer x').post({ a: 1 }).json());
await t('404', () =>
  w
    .url('/404')
    .get()
    .notFound(() => 'caught')
    .json(),
);
await t('500', () => w.url('/500').get().json());
await t('form', () =>
  w
    .url('/echo')
    .formData({ a: 1, b: ['x', 'y'] })
    .post()
    .json(),
);
await t('retry', () =>
  w
    .url('/flaky')
    .middlewares([retry({ delayTimer: 5, maxAttempts: 4, until: (r) => r && r.ok })])
    .get()
    .json(),
);
await t('timeout', () => w.url('/slow').get().setTimeout(50).json());
await t('blob', () =>
  w
    .url('/text')
    .get()
    .blob((b) => [b.size, b.type]),
);
stop();
