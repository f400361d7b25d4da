// Runs before the first paint, so that nothing flashes, and reports a page whose files can't be loaded. The page's own
// script takes over from here.
{
  let kept = null
  let density = null
  let face = null
  let text = null
  try {
    kept = localStorage.getItem('mantine-color-scheme-value')
    density = localStorage.getItem('stanchion-density')
    face = localStorage.getItem('stanchion-face')
    text = localStorage.getItem('stanchion-text')
  } catch {
    // A browser that blocks storage gets the usual appearance.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (face) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href: face })
    document.head.append(link)
  }
  if (text) document.documentElement.setAttribute('data-text', text)
  if (density === 'compact') document.documentElement.setAttribute('data-compact', '')

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties)
    made.append(...children)
    return made
  }

  // Styles are set here, because the style sheet may be the file that is missing.
  const reportUnloadedPage = () => {
    const start = document.querySelector('#root > .starting')
    if (!start) return
    const message = element(
      'div',
      { role: 'alert' },
      element('h1', { textContent: 'The portal could not be loaded' }),
      element('p', {
        textContent:
          'The portal may just have been updated, or the connection was lost. Your records have not been changed.',
      }),
      element('button', { textContent: 'Reload', onclick: () => location.reload() }),
    )
    Object.assign(message.style, {
      font: '16px/1.5 system-ui, sans-serif',
      maxWidth: '32rem',
      margin: '15vh auto',
      padding: '0 16px',
    })
    Object.assign(message.lastChild.style, { font: 'inherit', minHeight: '44px', padding: '0 20px' })
    start.replaceWith(element('main', {}, message))
  }
  const isNeeded = ({ target }) =>
    target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
  // Such events don't bubble. An error in a script has the window as its target.
  addEventListener(
    'error',
    (event) => {
      if (!isNeeded(event)) return
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', reportUnloadedPage)
      else reportUnloadedPage()
    },
    true,
  )
}
