import type { Browser } from '@playwright/test'
import { root } from './systems.ts'
import { act, type Done } from './web/actions.ts'
import { DESK, type Device, openBrowser, PHONE } from './web/browser.ts'
import { openPortal, type Portal } from './web/portal.ts'
import { type Opened, open, SCREENS, type Screen } from './web/screens.ts'

/*
 * What people get: every screen in a browser that has nothing of it yet, at a desk and on a telephone (a processor four times
 * slower, 9 Mbit/s, 75 ms), the middle of three; requests and bytes as they were sent until the screen is of use; and what is done next.
 * `npm run bench -- web --against=/another/tree` measures another source tree by turns with this one.
 */
const against = process.argv.find((a) => a.startsWith('--against='))?.slice('--against='.length)
const RUNS = process.argv.includes('--quick') ? 1 : 3
const only = process.argv.find((a) => a.startsWith('--only='))?.slice('--only='.length)

const middle = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] as number
const middleOf = <T extends object>(
  all: readonly T[],
  name: { [K in keyof T]: T[K] extends number ? K : never }[keyof T],
) => middle(all.map((one) => one[name] as number))
const ms = (n: number) => (Number.isNaN(n) ? '–' : n.toFixed(0))

async function printScreens(browser: Browser, portals: readonly Portal[], device: Device): Promise<void> {
  console.log(
    `\n| ${device.name}: first visit | | requests | KB as sent | of use, ms | largest paint, ms | warm, ms | shift |`,
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const screen of SCREENS) {
    const found = new Map<Portal, Opened[]>(portals.map((p) => [p, []]))
    for (let run = 0; run < RUNS; run++)
      for (const portal of portals) found.get(portal)?.push(await open(browser, portal, device, screen))
    for (const [portal, all] of found) {
      const of = (name: keyof Opened) => middleOf(all, name)
      const figures = [of('requests'), ms(of('bytes') / 1000), ms(of('useful')), ms(of('paint')), ms(of('warm'))]
      console.log(`| ${screen.name} | ${portal.name} | ${figures.join(' | ')} | ${of('shift').toFixed(3)} |`)
    }
  }
  console.log(`| the list at first | | ${AT_FIRST[device.name]?.screens} |`)
  console.log(`| goal for the list | | ${GOALS[device.name]?.screens} |`)
}

type Lines = Readonly<Record<string, { readonly screens: string; readonly actions: string }>>

/** What it was before anything was done for it, on a quicker machine than some. */
const AT_FIRST: Lines = {
  desk: { screens: '118 | 1292 | – | 1336 | – | 0.16–0.41', actions: '221 | 160 | 52 | 243 | yes | 222 | 19' },
  phone: { screens: '118 | 1292 | – | 3924 | – | –', actions: '874 | – | 163 | 734 | no | – | 90' },
}

/** The goals, as the lines that the tables end with. */
const GOALS: Lines = {
  desk: { screens: '25 | 260 | – | 600 | – | 0.010', actions: '100 | 100 | 100 | 100 | yes | 60 | 16' },
  phone: { screens: '25 | 260 | – | 1800 | – | 0.010', actions: '200 | – | 200 | 200 | yes | 200 | 60' },
}

async function printActions(browser: Browser, portals: readonly Portal[], device: Device): Promise<void> {
  const heads = ['next page', 'sort', 'open a record', 'back', 'place kept', 'outcome → next lead', 'a key, p95']
  console.log(`\n| ${device.name}: then, ms | ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length + 1)}`)
  const found = new Map<Portal, Done[]>(portals.map((p) => [p, []]))
  for (let run = 0; run < RUNS; run++)
    for (const portal of portals) found.get(portal)?.push(await act(browser, portal, device))
  for (const [portal, all] of found) {
    const of = (name: Exclude<keyof Done, 'placeKept'>) => ms(middle(all.map((one) => one[name])))
    const place = all.every((one) => one.placeKept) ? 'yes' : 'no'
    const figures = [of('nextPage'), of('sort'), of('open'), of('back'), place, of('outcome'), of('key')]
    console.log(`| ${portal.name} | ${figures.join(' | ')} |`)
  }
  console.log(`| at first | ${AT_FIRST[device.name]?.actions} |`)
  console.log(`| goal | ${GOALS[device.name]?.actions} |`)
}

const portals: Portal[] = []
const browser = await openBrowser()
try {
  if (against) portals.push(await openPortal('before', against))
  portals.push(await openPortal('ours', root))
  // The browser is new each time; the server is not, and has answered before.
  for (const portal of portals) await open(browser, portal, DESK, SCREENS[0] as Screen)
  for (const device of [DESK, PHONE].filter(({ name }) => !only || name === only)) {
    await printScreens(browser, portals, device)
    await printActions(browser, portals, device)
  }
} finally {
  await browser.close()
  for (const portal of portals) await portal.stop()
}
