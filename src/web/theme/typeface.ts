import file from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { createBrowserRouter } from 'react-router'
import { deviceStorage } from '../offline/browser-storage.ts'

/** Descriptors that are missing from some browsers' type definitions. */
interface Descriptors extends FontFaceDescriptors {
  readonly sizeAdjust: string
}
const descriptors: Descriptors = {
  weight: '200 900',
  sizeAdjust: '106%',
  unicodeRange: 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122',
}

/**
 * The typeface of printed documents, scaled up to match the system typeface. It is fetched after the first screen and
 * used from the next screen on. It therefore neither delays the first screen nor shifts its layout. It is not declared
 * in a stylesheet, because a browser may rebuild such declarations when a screen loads a stylesheet, and would
 * meanwhile show another typeface.
 */
const face = new FontFace('Source Sans 3 Variable', `url("${file}") format("woff2")`, descriptors)

/**
 * URL of the typeface, set once this device has fetched the file. `before-paint.js` reads it before the first paint.
 */
const fetched = deviceStorage.text('stanchion-face')
/** Maximum delay of the first paint in milliseconds, while the typeface loads. */
const MAX_WAIT_MS = 400

const apply = () => {
  document.fonts.add(face)
  document.documentElement.setAttribute('data-face', '')
}

/**
 * Applies the typeface before the first paint, if this device has already fetched it or if the page is a stand-alone
 * page, such as a secret link, which has no next screen. If the page is painted before the typeface arrives, it keeps
 * the system typeface.
 */
export async function applyTypeface(alone: boolean, ready: Promise<unknown>): Promise<void> {
  if (!alone && !fetched.read()) return
  const late = Promise.all([ready, new Promise((done) => setTimeout(done, MAX_WAIT_MS))])
  const isThere = await Promise.race([face.load().then(() => true), late.then(() => false)])
  if (isThere) apply()
}

/** Fetches the typeface and applies it from the next screen on. */
export async function fetchTypeface(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  await face.load()
  fetched.write(file)
  const from = router.state.location.pathname
  const undo = router.subscribe(({ location }) => {
    if (location.pathname === from) return
    undo()
    apply()
  })
}
