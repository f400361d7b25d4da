import type { Browser } from '@playwright/test'
import { PROJECT_ROOT } from './systems.ts'
import { medianTime } from './times.ts'
import { type ActionTimes, measureActions } from './web/actions.ts'
import { type BenchDevice, DESKTOP_DEVICE, openBrowser, PHONE_DEVICE } from './web/browser.ts'
import { startAtomicCrm } from './web/other.ts'
import { startPortalProduct } from './web/portal.ts'
import type { BenchProduct, BenchScreen } from './web/product.ts'
import { measureScreenLoad, type ScreenLoadMetrics } from './web/screens.ts'

/*
 * Speed for users. Opens every screen in a browser with an empty cache, on a desktop and on a phone (a processor four
 * times slower, 9 Mbit/s, 75 ms). Prints the median of three runs, with the requests and bytes transferred until the
 * screen is interactive. Then measures common actions. Compares the portal alternately with another product (`--alone`
 * leaves it out). `npm run bench -- web --against=/another/tree` compares another source tree with this one.
 */
const against = process.argv.find((a) => a.startsWith('--against='))?.slice('--against='.length)
const RUNS = process.argv.includes('--quick') ? 1 : 3
const only = process.argv.find((a) => a.startsWith('--only='))?.slice('--only='.length)

const middleOf = <T extends object>(
  all: readonly T[],
  name: { [K in keyof T]: T[K] extends number ? K : never }[keyof T],
) => medianTime(all.map((one) => one[name] as number))
const ms = (n: number) => (Number.isNaN(n) ? '–' : n.toFixed(0))

/** All products, which are measured alternately. `ours` and `other` are two of them. */
interface Beside {
  readonly products: readonly BenchProduct[]
  readonly ours: BenchProduct
  readonly other: BenchProduct | undefined
}

/** Formats the ratio of our time to the other product's for the tables. */
const ratio = (ours: number, theirs: number) => (Number.isNaN(ours / theirs) ? '–' : `${(ours / theirs).toFixed(2)} ×`)

async function printScreens(browser: Browser, { products, ours, other }: Beside, device: BenchDevice): Promise<void> {
  console.log(
    `\n| ${device.name}: first visit | | requests | KB transferred | usable, ms | largest paint, ms | warm, ms | layout shift |`,
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { name } of ours.screens) {
    const having = products.flatMap((product) => {
      const screen = product.screens.find((one) => one.name === name)
      return screen ? [{ product, screen, all: [] as ScreenLoadMetrics[] }] : []
    })
    for (let run = 0; run < RUNS; run++)
      for (const { product, screen, all } of having) all.push(await measureScreenLoad(browser, product, device, screen))
    for (const { product, all } of having) {
      const of = (what: keyof ScreenLoadMetrics) => middleOf(all, what)
      const figures = [of('requests'), ms(of('bytes') / 1000), ms(of('useful')), ms(of('paint')), ms(of('warm'))]
      console.log(`| ${name} | ${product.name} | ${figures.join(' | ')} | ${of('shift').toFixed(3)} |`)
    }
    const mine = having.find(({ product }) => product === ours)
    const theirs = having.find(({ product }) => product === other)
    if (!mine || !theirs) continue
    const by = (what: keyof ScreenLoadMetrics) => ratio(middleOf(mine.all, what), middleOf(theirs.all, what))
    console.log(
      `| | ours ÷ ${theirs.product.name} | ${by('requests')} | ${by('bytes')} | ${by('useful')} | ${by('paint')} | ${by('warm')} | |`,
    )
  }
  console.log(`| the list before optimisation | | ${AT_FIRST[device.name]?.screens} |`)
  console.log(`| goal for the list | | ${GOALS[device.name]?.screens} |`)
}

type Lines = Readonly<Record<string, { readonly screens: string; readonly actions: string }>>

/** Figures before any optimisation. They were measured on a fairly fast machine. */
const AT_FIRST: Lines = {
  desk: {
    screens: '118 | 1292 | – | 1336 (1.29 ×) | – | 0.16–0.41',
    actions: '221 (1.07 ×) | 160 (0.59 ×) | 52 (0.17 ×) | 243 (1.29 ×) | yes | 222 | 19 (1.18 ×)',
  },
  phone: {
    screens: '118 | 1292 | – | 3924 (1.15 ×) | – | –',
    actions: '874 | – | 163 (0.25 ×) | 734 (1.76 ×) | no | – | 90 (1.30 ×)',
  },
}

/** Goals, printed in the last rows of the tables. */
const GOALS: Lines = {
  desk: {
    screens: '25 | 260 | – | 600 (0.5 ×) | – | 0.010',
    actions: '100 (0.5 ×) | 100 (0.5 ×) | 100 | 100 (0.5 ×) | yes | 60 | 16 (1.0 ×)',
  },
  phone: {
    screens: '25 | 260 | – | 1800 (0.5 ×) | – | 0.010',
    actions: '200 | – | 200 | 200 | yes | 200 | 60 (1.0 ×)',
  },
}

/** Actions in the order of the table's columns. */
const ACTIONS = ['nextPage', 'sort', 'open', 'back', 'outcome', 'key'] as const
const PLACE_COLUMN_INDEX = 4

async function printActions(browser: Browser, { products, ours, other }: Beside, device: BenchDevice): Promise<void> {
  const heads = ['next page', 'sort', 'open a record', 'back', 'position kept', 'outcome → next lead', 'keystroke, p95']
  console.log(`\n| ${device.name}: actions, ms | ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length + 1)}`)
  const found = new Map<BenchProduct, ActionTimes[]>(products.map((p) => [p, []]))
  for (let run = 0; run < RUNS; run++)
    for (const product of products) found.get(product)?.push(await measureActions(browser, product, device))
  const figuresOf = (all: readonly ActionTimes[]) => ACTIONS.map((action) => medianTime(all.map((one) => one[action])))
  for (const [{ name }, all] of found) {
    const place = all.every((one) => one.placeKept) ? 'yes' : 'no'
    console.log(`| ${name} | ${figuresOf(all).map(ms).toSpliced(PLACE_COLUMN_INDEX, 0, place).join(' | ')} |`)
  }
  const theirs = other && figuresOf(found.get(other) ?? [])
  if (theirs) {
    const ratios = figuresOf(found.get(ours) ?? []).map((mine, n) => ratio(mine, theirs[n] as number))
    console.log(
      `| ours ÷ ${other.name}, where an outcome is a note | ${ratios.toSpliced(PLACE_COLUMN_INDEX, 0, '').join(' | ')} |`,
    )
  }
  console.log(`| before optimisation | ${AT_FIRST[device.name]?.actions} |`)
  console.log(`| goal | ${GOALS[device.name]?.actions} |`)
}

const browser = await openBrowser()
const products: BenchProduct[] = []
const started = (product: BenchProduct) => {
  products.push(product)
  return product
}
try {
  if (against) started(await startPortalProduct('before', against))
  const ours = started(await startPortalProduct('ours', PROJECT_ROOT))
  const other = process.argv.includes('--alone') ? undefined : await startAtomicCrm()
  if (other) started(other)
  // Warms up each server by loading its first screen once. The browser is new for each measurement.
  for (const product of products)
    await measureScreenLoad(browser, product, DESKTOP_DEVICE, product.screens[0] as BenchScreen)
  for (const device of [DESKTOP_DEVICE, PHONE_DEVICE].filter(({ name }) => !only || name === only)) {
    await printScreens(browser, { products, ours, other }, device)
    await printActions(browser, { products, ours, other }, device)
  }
} finally {
  await browser.close()
  for (const product of products) await product.stop()
}
