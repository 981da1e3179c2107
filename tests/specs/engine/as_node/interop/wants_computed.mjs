import { computed } from './names.cjs';
