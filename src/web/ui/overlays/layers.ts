import { acceptsTyping, isCharacterKey } from './typing.ts'

/** Selects an open dialog; a suspended one is in the page, but closed. */
const DIALOG = '[aria-modal=true]:not([data-closed] *)'

/** Whether a dialog is open, so that the page behind it can't be used. */
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
      // Typing in a field concerns no layer, and searching the entire page for each letter would be slow.
      wasThere = !(isCharacterKey(e) && acceptsTyping(e.target)) && document.querySelector(LAYER) !== null
    },
    { capture: true },
  )
