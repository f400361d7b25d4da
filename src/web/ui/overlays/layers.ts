import { acceptsTyping, isCharacterKey } from './typing.ts'

/** Selector for open dialogs. A suspended dialog is in the document but closed, so it is excluded. */
const DIALOG = '[aria-modal=true]:not([data-closed] *)'

/** Returns true if a dialog is open and blocks the page behind it. */
export const isBehindDialog = (): boolean => typeof document !== 'undefined' && document.querySelector(DIALOG) !== null

const LAYER = `${DIALOG}, [aria-haspopup][aria-expanded=true], [aria-haspopup][data-expanded], [role=menu], :popover-open`

let wasThere = false

/**
 * Returns true if a layer was above the page when the current key was pressed. The key press belongs to that layer,
 * even if the layer has closed since.
 */
export const wasPageCovered = (): boolean => wasThere

if (typeof document !== 'undefined')
  window.addEventListener(
    'keydown',
    (e) => {
      // Typing in a field never concerns a layer, and searching the entire page for every letter would be slow.
      wasThere = !(isCharacterKey(e) && acceptsTyping(e.target)) && document.querySelector(LAYER) !== null
    },
    { capture: true },
  )
