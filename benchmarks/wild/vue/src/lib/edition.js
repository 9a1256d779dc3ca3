export const fixed = document.documentElement.dataset.edition === 'fixed'
