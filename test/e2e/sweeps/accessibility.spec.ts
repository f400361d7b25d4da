import { expect, test } from '@playwright/test'
import { findViolations } from '../support/accessibility.ts'

// Tests the accessibility checks themselves, on a page that is not part of the portal.

test('elements that fade in, move or change colour are checked for accessibility in their final state', async ({
  page,
}) => {
  await page.setContent(`<!doctype html>
    <html lang="en" data-mantine-color-scheme="light">
    <title>On its way</title>
    <style>
      @keyframes appear { from { opacity: 0.1 } }
      @keyframes turn { to { rotate: 360deg } }
      body { background: white; color: #ddd; transition: color 1000s }
      body.begun { color: black }
      p { transition: color 1000s, opacity 1000s }
      .late { opacity: 0.2 }
      .begun .late { opacity: 1 }
      .appears { animation: appear 1000s 5s }
      .turns { animation: turn 1s infinite }
    </style>
    <main>
      <h1>On its way</h1>
      <p>What inherits a colour</p>
      <p class="late">What fades in</p>
      <p class="appears">What appears</p>
      <p class="turns">What never ends</p>
    </main>`)
  // The animation starts only at the next frame, as for elements that are revealed in steps.
  await page.evaluate(() => void requestAnimationFrame(() => document.body.classList.add('begun')))
  expect(await findViolations(page, 'light')).toEqual([])
})
