export const fixed = __FIXED__;
