import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumSwitches, findChromiumPath } from '../../scripts/browsers.mjs'
import type { BenchSite } from './product.ts'

/** A device: its window, the slowdown of its processor, and its network. */
export interface BenchDevice {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly slower: number
  /** Bits per second, and latency in milliseconds until the first byte of a response. */
  readonly network?: { readonly bits: number; readonly latency: number }
}

export const DESKTOP_DEVICE: BenchDevice = { name: 'desk', viewport: { width: 1440, height: 900 }, slower: 1 }
export const PHONE_DEVICE: BenchDevice = {
  name: 'phone',
  viewport: { width: 390, height: 844 },
  slower: 4,
  network: { bits: 9_000_000, latency: 75 },
}

const PASSWORD = 'Portal-demo-2026'

export const openBrowser = () => chromium.launch({ executablePath: findChromiumPath(), args: chromiumSwitches })

type StoredBrowserState = Awaited<ReturnType<BrowserContext['storageState']>>
const kept = new Map<string, StoredBrowserState>()

/**
 * Returns the minimal browser state of a signed-in user: the session cookie, and the flag that a session exists.
 * Creates it once per user.
 */
async function stateOf(browser: Browser, site: BenchSite, username: string): Promise<StoredBrowserState> {
  const key = `${site.base} ${username}`
  const known = kept.get(key)
  if (known) return known
  const context = await browser.newContext()
  const answer = await context.request.post(`${site.base}/api/security/login`, {
    data: { username, password: PASSWORD },
    headers: { 'x-requested-with': 'portal', origin: site.base },
  })
  if (!answer.ok()) throw new Error(`${username} could not sign in: ${answer.status()}`)
  const { cookies } = await context.storageState()
  await context.close()
  const signedIn = { name: 'stanchion-signed-in', value: '1' }
  const state = { cookies, origins: [{ origin: site.base, localStorage: [signedIn] }] }
  kept.set(key, state)
  return state
}

/**
 * A request from a page: milliseconds since the first request, and the bytes of the response as transferred, including
 * headers.
 */
export interface MeasuredRequest {
  readonly at: number
  bytes: number
}

export interface MeasuredPage {
  readonly page: Page
  /** All requests sent over the network. */
  readonly sent: () => readonly MeasuredRequest[]
  readonly close: () => Promise<void>
}

/**
 * Opens a page in a new browser context with an empty cache. If a username is given, that user is already signed in.
 */
export async function openMeasuredPage(
  browser: Browser,
  site: BenchSite,
  device: BenchDevice,
  username?: string,
): Promise<MeasuredPage> {
  const context = await browser.newContext({
    viewport: device.viewport,
    baseURL: site.base,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    ...(device.network ? { hasTouch: true, isMobile: true } : {}),
    ...(username ? { storageState: await stateOf(browser, site, username) } : {}),
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const sent = await countSent(session)
  if (device.network) await throttle(session, device.network)
  if (device.slower > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: device.slower })
  const close = async () => {
    // The session cookie changes with each page, and the next visit needs the latest one.
    if (username) {
      const state = await stateOf(browser, site, username)
      kept.set(`${site.base} ${username}`, { ...state, cookies: (await context.storageState()).cookies })
    }
    await context.close()
  }
  return { page, sent, close }
}

const throttle = (session: CDPSession, { bits, latency }: NonNullable<BenchDevice['network']>) =>
  session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bits / 8,
    uploadThroughput: bits / 8,
  })

async function countSent(session: CDPSession): Promise<() => readonly MeasuredRequest[]> {
  const sent = new Map<string, MeasuredRequest>()
  let began: number | undefined
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    began ??= timestamp
    if (request.url.startsWith('http')) sent.set(requestId, { at: (timestamp - began) * 1000, bytes: 0 })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => sent.delete(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = sent.get(requestId)
    if (one) one.bytes = encodedDataLength
  })
  await session.send('Network.enable')
  return () => [...sent.values()]
}
