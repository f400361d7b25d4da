const FIELD =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, select, [contenteditable=""], [contenteditable=true]'

/** Does the focused element take typed text? */
export const acceptsTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELD) !== null

/** Is it a letter, a digit or another character that a field takes as typed? */
export const isCharacterKey = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'key' | 'metaKey'>): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

/** An open dialog; a suspended one is in the page, but closed. */
const DIALOG = '[aria-modal=true]:not([data-closed] *)'

/** Is a dialog open, so that the page behind it can't be used? */
export const isBehindDialog = (): boolean => typeof document !== 'undefined' && document.querySelector(DIALOG) !== null

const LAYER = `${DIALOG}, [aria-haspopup][aria-expanded=true], [aria-haspopup][data-expanded], [role=menu], :popover-open`

let wasThere = false

/**
 * Whether a layer was above the page when the current key was pressed: the key belongs to it, even if it has closed
 * since.
 */
export const wasPageCovered = (): boolean => wasThere

if (typeof document !== 'undefined')
  window.addEventListener(
    'keydown',
    (e) => {
      // Typing in a field concerns no layer, and searching the whole page for each letter would be slow.
      wasThere = !(isCharacterKey(e) && acceptsTyping(e.target)) && document.querySelector(LAYER) !== null
    },
    { capture: true },
  )
