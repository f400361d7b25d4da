import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createPageRenderer } from './page.ts'

const folder = mkdtempSync(join(tmpdir(), 'stanchion-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HTML =
  '<head><meta name="csp-nonce" content="__NONCE__"><script type="module" src="/assets/portal.js"></script></head><body></body>'
const BUILT = [
  {
    path: '/crm/contact/view/:id?',
    pattern: '^/crm/contact/view(?:/[^/]+)?/?$',
    files: ['assets/view.js', 'assets/view.css'],
    asks: ['/api/crm/contacts/:id'],
  },
]

it('without a build, no HTML page is served', () => {
  expect(createPageRenderer(folder)).toBeUndefined()
})

it("the HTML page lists its first API requests before the first script, and loads its screen's own files after the shared ones", () => {
  writeFileSync(join(folder, 'index.html'), HTML)
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(BUILT))
  const page = createPageRenderer(folder)?.('/crm/contact/view/7', 'n1') ?? ''
  expect(page.indexOf('<meta name="expected"')).toBeLessThan(page.indexOf('<script'))
  expect(page.indexOf('<link rel="modulepreload" crossorigin href="/assets/view.js">')).toBeGreaterThan(
    page.indexOf('</script>'),
  )
  expect(page).toContain('<link rel="stylesheet" crossorigin href="/assets/view.css">')
  expect(page).toContain('&quot;asks&quot;:[&quot;/api/crm/contacts/:id&quot;]')
  expect(page).toContain('content="n1"')
})

it('a page with its own HTML document is served as that document, with the same requests', () => {
  writeFileSync(join(folder, 'index.html'), HTML)
  writeFileSync(join(folder, 'my-task.html'), HTML.replace('portal.js', 'my-task.js'))
  const own = { path: '/my-task', pattern: '^/my-task/?$', files: [], asks: ['/api/x'], html: 'my-task.html' }
  writeFileSync(join(folder, 'pages.json'), JSON.stringify([own]))
  const page = createPageRenderer(folder)
  expect(page?.('/my-task', 'n')).toContain('/assets/my-task.js')
  expect(page?.('/my-task', 'n')).toContain('&quot;asks&quot;:[&quot;/api/x&quot;]')
  expect(page?.('/my-tasks', 'n')).toContain('/assets/portal.js')
})

it('the HTML page never contains parts of its URL, and an unknown URL adds no requests or files', () => {
  writeFileSync(join(folder, 'index.html'), HTML)
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(BUILT))
  const page = createPageRenderer(folder)
  expect(page?.('/crm/contact/view/"><script>alert(1)</script>', 'n')).not.toContain('alert')
  expect(page?.('/elsewhere', 'n2')).toBe(HTML.replace('__NONCE__', 'n2'))
})

it('the HTML page of a new build in the same folder is served without a restart, and the previous page until the new one is complete', () => {
  writeFileSync(join(folder, 'index.html'), HTML)
  const page = createPageRenderer(folder)
  rmSync(join(folder, 'index.html'))
  expect(page?.('/', 'n')).toContain('/assets/portal.js')
  writeFileSync(join(folder, 'pages.json'), '[{"path": "/half')
  expect(page?.('/', 'n')).toContain('/assets/portal.js')
  writeFileSync(join(folder, 'pages.json'), '[]')
  writeFileSync(join(folder, 'index.html'), HTML.replace('portal.js', 'portal-2.js'))
  expect(page?.('/', 'n')).toContain('/assets/portal-2.js')
})
