export const late = 'arrives late';
