import type { Page } from '@playwright/test'

/**
 * Returns the touch targets on this page that are less than the minimum height, each with its height and the start of
 * its text.
 */
export const findSmallTouchTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('#main :is(a, button, input, select, summary)')].flatMap((one) => {
      const tapped = (one instanceof HTMLInputElement && one.labels?.[one.labels.length - 1]) || one
      const { width, height } = tapped.getBoundingClientRect()
      const shown = width > 0 && tapped.checkVisibility({ visibilityProperty: true })
      return !shown || height >= 43.5 ? [] : [`${Math.round(height)} ${tapped.outerHTML.slice(0, 400)}`]
    }),
  )
