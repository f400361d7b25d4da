import file from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'

/** Fetches the portal's face for the next visit; `color-scheme.js` has it at hand before the first painting then. */
export async function fetchFace(): Promise<void> {
  const [face] = await document.fonts.load('1em "Source Sans 3 Variable"')
  if (face) localStorage.setItem('stanchion-face', file)
}
