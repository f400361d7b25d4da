// Renders the icons for the web manifest from icon.svg. Run this script by hand when the drawing changes.
import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findChromiumPath } from './browsers.mjs'
import { inRoot } from './shared.mjs'

const sizes = [64, 120, 144, 152, 192, 384, 512]
const folder = inRoot('src', 'app', 'public', 'icons')
const drawing = readFileSync(`${folder}/icon.svg`, 'utf8')

const browser = await chromium.launch({ executablePath: findChromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage()
for (const size of sizes) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`)
  await page.screenshot({ path: `${folder}/icon-${size}.png` })
}
await browser.close()
