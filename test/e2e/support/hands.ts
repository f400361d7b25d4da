import type { Locator, Page } from '@playwright/test'

export function makePressCounter(page: Page) {
  let pressed = 0
  return {
    pressed: () => pressed,
    click: async (what: Locator) => {
      pressed++
      await what.click()
    },
    tap: async (what: Locator) => {
      pressed++
      await what.tap()
    },
    key: async (key: string) => {
      pressed++
      await page.keyboard.press(key)
    },
  }
}
