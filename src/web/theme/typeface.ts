import file from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { createBrowserRouter } from 'react-router'
import { deviceStorage } from '../offline/browser-storage.ts'

/** Not every browser's types know of it. */
interface Descriptors extends FontFaceDescriptors {
  readonly sizeAdjust: string
}
const descriptors: Descriptors = {
  weight: '200 900',
  sizeAdjust: '106%',
  unicodeRange: 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122',
}

/**
 * The face of the papers, made larger by what its letters are smaller. It is fetched once a screen stands and used from the next screen on:
 * the first one costs nothing, and nothing moves. It is no rule of a stylesheet: a browser may build those anew when a screen brings a
 * stylesheet of its own, and words stood in another face meanwhile.
 */
const face = new FontFace('Source Sans 3 Variable', `url("${file}") format("woff2")`, descriptors)

/** The address of the face, once this device has fetched it. Read before the first paint by color-scheme.js. */
const fetched = deviceStorage.text('stanchion-face')
/** As long as the first drawing waits for a face that this device has. */
const LONGEST_MS = 400

const wear = () => {
  document.fonts.add(face)
  document.documentElement.setAttribute('data-face', '')
}

/**
 * Before the first drawing: wears the portal's face where this device has it, and on a page that stands alone: whoever follows a
 * link to one has no next screen to see it on. Where it comes later than what is to be drawn, the page is drawn in another, and keeps that.
 */
export async function wearFace(alone: boolean, ready: Promise<unknown>): Promise<void> {
  if (!alone && !fetched.read()) return
  const late = Promise.all([ready, new Promise((done) => setTimeout(done, LONGEST_MS))])
  const isThere = await Promise.race([face.load().then(() => true), late.then(() => false)])
  if (isThere) wear()
}

/** Fetches the face, and wears it from the next screen on: whoever signs in for the first time sees what they will see later. */
export async function fetchFace(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  await face.load()
  fetched.write(file)
  const from = router.state.location.pathname
  const undo = router.subscribe(({ location }) => {
    if (location.pathname === from) return
    undo()
    wear()
  })
}
