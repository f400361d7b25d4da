import { expect, test } from '@playwright/test'
import { violationsIn } from '../support/accessibility.ts'

// How screens are looked at, on a page that no portal serves.

test('what fades in, moves or changes colour is looked at where it arrives', async ({ page }) => {
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
  // Begun only when the next picture is drawn, as by what is shown step by step.
  await page.evaluate(() => void requestAnimationFrame(() => document.body.classList.add('begun')))
  expect(await violationsIn(page, 'light')).toEqual([])
})
