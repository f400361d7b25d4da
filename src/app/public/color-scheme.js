// Before the first paint, so that nothing flashes. The page's own script takes over from here.
{
  let kept = null
  let density = null
  let face = null
  try {
    kept = localStorage.getItem('mantine-color-scheme-value')
    density = localStorage.getItem('stanchion-density')
    face = localStorage.getItem('stanchion-face')
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (face) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: face })
    document.head.append(link)
  }
  if (density === 'compact') document.documentElement.setAttribute('data-compact', '')
}
