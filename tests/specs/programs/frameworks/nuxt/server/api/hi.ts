export default defineEventHandler(() => ({ hi: 'there' }));
