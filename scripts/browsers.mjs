// Finds the Chromium for end-to-end tests and benchmarks. Run as a script, it installs a browser for the end-to-end
// tests if there is none.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { buildSpawnOptions, exitWithError, installWithApt, isMain } from './shared.mjs'

/**
 * Paths of Chromium's headless shell. It renders the same pages without browser windows, which would take an eighth of
 * the cost of an end-to-end test.
 */
const shells = ['/usr/bin/chromium-headless-shell', '/usr/lib/chromium/chromium-headless-shell']

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Pages of the address bar, which Chromium opens in the background for each new window. They take half a second of
 * processor time.
 */
const unseen = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Features that Playwright disables. They are repeated here because Chromium uses only the last list of features. */
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

/** Command-line switches for a Chromium without a display, without a network and possibly run as root. */
export const chromiumSwitches = [
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

/** Returns the path of a regular Chromium; without one, the path of the headless shell, or undefined. */
export const findChromiumPath = () => windowPath() ?? shellPath()

/**
 * Returns the path of the browser for end-to-end tests: the headless shell; without one, any Chromium, or undefined.
 */
export const findTestBrowserPath = () => shellPath() ?? windowPath()

/** Installs a Chromium if there is none. Returns its path, or undefined on failure. */
export function installBrowser() {
  if (!shellPath() && !installWithApt('chromium-headless-shell') && !windowPath() && !installWithApt('chromium'))
    spawnSync('playwright', ['install', 'chromium'], { ...buildSpawnOptions(), stdio: ['ignore', 2, 2] })
  return findTestBrowserPath()
}

if (isMain(import.meta))
  console.log(
    installBrowser() ??
      exitWithError('No Chromium was found, and none could be installed. Set CHROMIUM_PATH to the path of one.'),
  )
