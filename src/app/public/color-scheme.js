// Before the first paint, so that nothing flashes. The page's own script takes over from here.
{
  let kept = null
  try {
    kept = localStorage.getItem('mantine-color-scheme-value')
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
