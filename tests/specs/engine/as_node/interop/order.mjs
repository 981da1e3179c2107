import './order_before.mjs';
import './order.cjs';
import { log } from './log.cjs';
log.push('module');
