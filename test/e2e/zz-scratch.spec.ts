import { settled, signIn, test } from './support/journey.ts'
import { apiOf } from './support/api.ts'
const PATHS = (process.env.SHOTS ?? 'management,contact/bingo,statistics,salesreport,analysis/sale,analysis/salesources,analysis/roadmap,analysis/web,analysis/web/comparison,analysis/renewal,analysis/sale-to-renewal,analysis/leads,commission,commissionreview,commissionreview/makeup,salechecks,reminders').split(',').map((p) => `/cms/${p}`).concat(['/crm/renewals'])
test('pictures', async ({ page }) => {
  test.setTimeout(400_000)
  await signIn(page, 'manager', '/cms/management')
  const asks = await apiOf(page, 'manager')
  for (const url of ['/api/sales/commission_months', '/api/sales/sales_stats?itemsPerPage=100']) {
    const b = await (await page.request.get(url, asks)).json()
    console.log(url, JSON.stringify(b['hydra:member'].map((m: Record<string, unknown>) => [m.id, m.month, m.day, m.state, (m.seller as { name?: string })?.name, m.amount, m.renewsOn, (m.cameFrom as string), (m.contact as {id?: number})?.id])))
  }
  for (const path of PATHS) {
    const name = path.replace(/\W+/g, '-')
    for (const [w, h, scheme] of [[1280, 900, 'light'], [390, 844, 'dark']] as const) {
      await page.setViewportSize({ width: w, height: h })
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(path)
      await settled(page)
      await page.waitForTimeout(400)
      await page.screenshot({ path: `/tmp/shots/${name}-${w}.png` })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) console.log(path, w, 'overflows by', over)
    }
  }
  await signIn(page, 'staff', '/cms/statistics')
  for (const [w, h] of [[1280, 900], [390, 844]] as const) {
    await page.setViewportSize({ width: w, height: h })
    await page.goto('/cms/statistics')
    await settled(page)
    await page.screenshot({ path: `/tmp/shots/staff-${w}.png` })
  }
})
