export const greeting = "imported";
