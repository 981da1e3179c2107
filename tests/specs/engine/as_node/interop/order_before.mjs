import { log } from './log.cjs';
log.push('before');
