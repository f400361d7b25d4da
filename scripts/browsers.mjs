// Finds the Chromium that journeys and measurements drive; as a script, installs what journeys want where it isn't there.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { childOptions, giveUp, installWithApt, isMain } from './shared.mjs'

/** Chromium without windows: pages are the same, and an eighth of what a journey costs was spent on what is round them. */
const shells = ['/usr/bin/chromium-headless-shell', '/usr/lib/chromium/chromium-headless-shell']

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

const there = (path) => path && existsSync(path)

const windowPath = () => [process.env.CHROMIUM_PATH, ...usualPlaces, chromium.executablePath()].find(there)

const shellPath = () => [process.env.CHROMIUM_PATH, ...shells].find(there)

/** The path of a Chromium as people have it; one without windows where there is no other, or undefined. */
export const chromiumPath = () => windowPath() ?? shellPath()

/** The path of what journeys are made in: any Chromium where there is none without windows. */
export const journeysPath = () => shellPath() ?? windowPath()

/** Sees to it that there is one; its path, or undefined. */
export function installBrowser() {
  if (!shellPath() && !installWithApt('chromium-headless-shell') && !windowPath() && !installWithApt('chromium'))
    spawnSync('playwright', ['install', 'chromium'], { ...childOptions(), stdio: ['ignore', 2, 2] })
  return journeysPath()
}

if (isMain(import.meta))
  console.log(installBrowser() ?? giveUp('No Chromium could be found or installed: set CHROMIUM_PATH to one.'))
