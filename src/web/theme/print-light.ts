const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: what is printed, is printed in light, in whatever it is read. */
export function printLight(): void {
  const { documentElement: page } = document
  let read: string | null = null
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) {
      read = page.getAttribute(SCHEME)
      page.setAttribute(SCHEME, 'light')
    } else if (read) page.setAttribute(SCHEME, read)
  })
}
