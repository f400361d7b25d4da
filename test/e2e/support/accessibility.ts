import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    /** In a page that has been given its source. */
    readonly axe: typeof axe
  }
}

type Scheme = 'light' | 'dark'

/** What a colour scheme can change. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Dresses the page in a colour scheme, without animations. */
export async function dress(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
}

/** Colours on their way from one to another are neither. */
const endTransitions = (page: Page) =>
  page.evaluate(async () => {
    const running = document.getAnimations().filter((a) => a instanceof CSSTransition)
    await Promise.allSettled(running.map((a) => a.finished))
  })

/** The accessibility violations of the page as it is, as lines: those of some rules, or of all. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await endTransitions(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(
    (only) => window.axe.run({ resultTypes: ['violations'], ...(only ? { runOnly: [...only] } : {}) }),
    rules,
  )
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(', ')}`)
}

/** No violations in light; in the dark, where the same things stand in other colours, none of colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await dress(page, 'dark')
  expect(await violations(page, COLOURS)).toEqual([])
  await dress(page, 'light')
  expect(await violations(page)).toEqual([])
}
