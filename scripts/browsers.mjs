// Finds the Chromium that the tests drive; installs one when run as a script and none is there.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { childOptions, giveUp, installWithApt, isMain } from './shared.mjs'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Pages of the address bar, which Chromium opens unseen for each new window: half a second of a processor. */
const unseen = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** What Playwright switches off. Of several lists of features the last one counts. */
const notForTests = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** How it is started where there is no display, no network and perhaps only root. */
export const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...notForTests, ...unseen].join(',')}`,
]

/** The path of a Chromium, or undefined. */
export function chromiumPath() {
  return [process.env.CHROMIUM_PATH, ...usualPlaces, chromium.executablePath()].find((path) => path && existsSync(path))
}

if (isMain(import.meta)) {
  if (!chromiumPath() && !installWithApt('chromium'))
    spawnSync('playwright', ['install', 'chromium'], { ...childOptions(), stdio: ['ignore', 2, 2] })
  const path = chromiumPath()
  if (!path) giveUp('No Chromium could be found or installed: set CHROMIUM_PATH to one.')
  console.log(path)
}
