/** Fetches the portal's face for the next visit; `color-scheme.js` says before the first painting that it is here. */
export async function fetchFace(): Promise<void> {
  const [face] = await document.fonts.load('1em "Source Sans 3 Variable"')
  if (face) localStorage.setItem('stanchion-face', 'here')
}
