import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    /** In a page that has been given its source. */
    readonly axe: typeof axe
  }
}

/** Its small edition: every page that is looked at is sent it, and reads it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
}

/** Without what only whoever reads all results needs: a selector of each element, and every style sheet read once more. */
const LEAN = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } } as const

/** What a colour scheme can change. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Brings all that moves or changes colour to its end: what is on its way is neither what was nor what will be. One may begin
 * another, also in what inherits from it, so that it is over when two pictures have been drawn without any. What never ends stays as it is.
 */
const endAnimations = (page: Page) =>
  page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const ends = (a: Animation) => Number.isFinite(Number(a.effect?.getComputedTiming().endTime))
    for (let calm = 0; calm < 2; ) {
      await drawn()
      const moving = document.getAnimations().filter((a) => a.playState === 'running' && ends(a))
      for (const one of moving) one.finish()
      calm = moving.length ? 0 : calm + 1
    }
  })

/** The accessibility violations of the page as it is, as lines: those of some rules, or of all. */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await endAnimations(page)
  await bringAxe(page)
  return page.evaluate(
    async ([lean, only]) => {
      const found = await window.axe.run({ ...(lean as object), ...(only ? { runOnly: [...only] } : {}) })
      return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(', ')}`)
    },
    [LEAN, rules] as const,
  )
}

/**
 * Dresses the page in a colour scheme and looks: in light for everything, in the dark, where the same things stand in other
 * colours, for what is wrong with those.
 */
export async function violationsIn(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  return violations(page, scheme === 'dark' ? COLOURS : undefined)
}

/** What only the page as a whole can tell of what has opened over it. */
const OF_THE_PAGE = ['region', 'aria-hidden-focus', 'duplicate-id-aria', 'landmark-unique']

/** The violations of what is open over a page, in the colour schemes asked for, and what it does to the page where both are. */
export async function violationsWithin(
  page: Page,
  selector: string,
  schemes: readonly ('dark' | 'light')[],
): Promise<string[]> {
  const found: string[] = []
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    await endAnimations(page)
    await bringAxe(page)
    found.push(
      ...(await page.evaluate(
        async ([within, lean, colours, whole]) => {
          const open = [...document.querySelectorAll(within as string)].filter((e) => e.checkVisibility())
          const results = [
            await window.axe.run(open as never, {
              ...(lean as object),
              ...(colours ? { runOnly: [...colours] } : {}),
            }),
          ]
          if (!colours && whole.length) results.push(await window.axe.run({ ...(lean as object), runOnly: [...whole] }))
          return results.flatMap((r) => r.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(', ')}`))
        },
        [selector, LEAN, scheme === 'dark' ? COLOURS : undefined, schemes.length > 1 ? OF_THE_PAGE : []] as const,
      )),
    )
  }
  return found
}

/**
 * The page has no accessibility violations in light, in which it is left. Pages that a screen of their own shows are looked at by the
 * screen passes; `contrast.unit.test.ts` compares the colours of both schemes.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsIn(page, 'light')).toEqual([])
}
