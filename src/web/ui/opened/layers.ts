import { isSign, takesTyping } from './typing.ts'

/** A dialog that is open; one that sleeps is in the page, and closed. */
const DIALOG = '[aria-modal=true]:not([data-closed] *)'

/** Is there a dialog on the screen, so that nobody reaches what is behind it? */
export const isBehindDialog = (): boolean => typeof document !== 'undefined' && document.querySelector(DIALOG) !== null

const LAYER = `${DIALOG}, [aria-haspopup][aria-expanded=true], [aria-haspopup][data-expanded], [role=menu], :popover-open`

let wasThere = false

/** Something stood above the page when the key was pressed that is just being heard: the key is for it, though it may be closed by now. */
export const wasLayered = (): boolean => wasThere

if (typeof document !== 'undefined')
  window.addEventListener(
    'keydown',
    (e) => {
      // What is typed into a field is for nobody else, and the whole page would be looked through for each letter.
      wasThere = !(isSign(e) && takesTyping(e.target)) && document.querySelector(LAYER) !== null
    },
    { capture: true },
  )
