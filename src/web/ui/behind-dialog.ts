/** Is there a dialog on the screen, so that nobody reaches what is behind it? */
export const isBehindDialog = (): boolean =>
  typeof document !== 'undefined' && document.querySelector('[aria-modal=true]') !== null
