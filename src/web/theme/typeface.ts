import file from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { createBrowserRouter } from 'react-router'
import { deviceStorage } from '../offline/browser-storage.ts'

/** Missing from some browsers' type definitions. */
interface Descriptors extends FontFaceDescriptors {
  readonly sizeAdjust: string
}
const descriptors: Descriptors = {
  weight: '200 900',
  sizeAdjust: '106%',
  unicodeRange: 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122',
}

/**
 * Typeface of printed documents, scaled up to match the system typeface. It is fetched after the first screen and used
 * from the next one on, so that it delays nothing and nothing moves. It is not a stylesheet rule: a browser may rebuild
 * those when a screen loads a stylesheet, and would meanwhile show another typeface.
 */
const face = new FontFace('Source Sans 3 Variable', `url("${file}") format("woff2")`, descriptors)

/** URL of the typeface, once this device has fetched it. `color-scheme.js` reads it before the first paint. */
const fetched = deviceStorage.text('stanchion-face')
/** Maximum delay of the first paint while the typeface loads. */
const MAX_WAIT_MS = 400

const apply = () => {
  document.fonts.add(face)
  document.documentElement.setAttribute('data-face', '')
}

/**
 * Applies the typeface before the first paint if this device has it, or on stand-alone pages such as secret links,
 * which have no next screen. A page painted before the typeface arrives keeps the system typeface.
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
