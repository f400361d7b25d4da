import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare global {
  interface Window {
    /** Global variable of a page after the axe source has been injected. */
    readonly axe: typeof axe
  }
}

/** Minified build, because every checked page has to receive and parse the source. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
}

/** Options that omit what only a full report needs: selectors for each element, and preloading of style sheets. */
const LEAN = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } } as const

/** Rules that depend on the colour scheme. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Finishes all animations and transitions, so that intermediate colours are not checked. One animation may start
 * another, even in inheriting elements, so the function waits for two frames without any. Infinite animations continue.
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

/**
 * Returns the accessibility violations of the page in its current state, one per line, for the given rules or for all
 * rules.
 */
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

/** Sets the colour scheme and checks the page: all rules in light mode, only the colour rules in dark mode. */
export async function findViolations(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
  return violations(page, scheme === 'dark' ? COLOURS : undefined)
}

/** Rules about the whole page, checked while a popup is open over it. */
const OF_THE_PAGE = ['region', 'aria-hidden-focus', 'duplicate-id-aria', 'landmark-unique']

/**
 * Returns the violations in popups over a page in the given colour schemes. If both schemes are given, also returns
 * those of the whole page.
 */
export async function findPopupViolations(
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
 * Asserts that the page has no accessibility violations in light mode, and leaves it in light mode. The tests of all
 * screens check complete screens; `contrast.unit.test.ts` compares the colours of both schemes.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page, 'light')).toEqual([])
}
