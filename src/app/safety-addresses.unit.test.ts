import { matchPath } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Page } from '#web/shell/manifest/page.ts'
import { fillPathParams } from '#web/shell/pages/redirects.ts'
import { modules } from './modules.web.ts'

/** URL paths of the safety suite (safety specification, section 2) and the screen that each path opens. */
const COME_TO: Readonly<Record<string, string>> = {
  '/sfp/overview': '/sfp/overview',
  '/sfp/view': '/sfp/view',
  '/sfp': '/sfp',
  '/safety': '/safety',
  '/sfp/index-old': '/sfp/index-old',
  '/sfp/file-manager': '/sfp/file-manager',
  '/sfp/custom-downloads': '/safety/custom-downloads',
  '/safety/custom-downloads': '/safety/custom-downloads',
  '/sfp/toolbox-talks': '/safety/toolbox-talks',
  '/sfp/coshh-assessment/create': '/sfp/coshh-assessment/create',
  '/sfp/coshh-assessment/update/7': '/sfp/coshh-assessment/update/:slug',
  '/sfp/coshh-assessment/from-template/7': '/sfp/coshh-assessment/from-template/:slug',
  '/sfp/safety-policy/create': '/sfp/safety-policy/create',
  '/sfp/safety-policy/review': '/sfp/safety-policy/review',
  '/sfp/safety-policy/expired': '/sfp/safety-policy/expired',
  '/sfp/method-statement/create': '/sfp/method-statement/create',
  '/sfp/method-statement/update/7': '/sfp/method-statement/update/:slug',
  '/sfp/method-statement/from-template/7': '/sfp/method-statement/from-template/:slug',
  '/sfp/risk-assessment/create': '/sfp/risk-assessment/create',
  '/sfp/risk-assessment/beta': '/safety/risk-assessment',
  '/sfp/risk-assessment/beta/new': '/sfp/risk-assessment/create',
  '/sfp/risk-assessment/beta/copy/7': '/sfp/risk-assessment/copy/:slug',
  '/sfp/risk-assessment/beta/update/7': '/sfp/risk-assessment/update/:slug',
  '/sfp/risk-assessment/from-template/7': '/sfp/risk-assessment/from-template/:slug',
  '/sfp/risk-assessment/update/7': '/sfp/risk-assessment/update/:slug',
  '/safety/risk-assessment': '/safety/risk-assessment',
  '/safety/method-statement': '/safety/method-statement',
  '/safety/method-statement/update/7': '/sfp/method-statement/update/:slug',
  '/safety/coshh-assessment': '/safety/coshh-assessment',
  '/safety/coshh-assessment/view/7': '/safety/coshh-assessment/view/:slug',
  '/safety/coshh-assessment/update/7': '/sfp/coshh-assessment/update/:slug',
  '/safety/policy': '/safety/policy',
  '/safety/policy/update': '/safety/policy/update',
  '/safety/policy/update/7': '/sfp/safety-policy/update/:slug',
  '/safety/policy/view': '/safety/policy/view',
  '/safety/policy/view/7': '/safety/policy/view/:slug',
  '/safety/toolbox-talks': '/safety/toolbox-talks',
  '/safety/toolbox-talks/presented': '/safety/toolbox-talks/presented',
  '/safety/toolbox-talks/update/7': '/safety/toolbox-talks/update/:slug',
  '/safety/Settings': '/safety/Settings',
  '/config/system/safety': '/safety/Settings',
}

const pages: readonly Page[] = modules.flatMap((module) => module.pages)
/** Returns the page for a URL path: an exact path takes precedence over a pattern. */
const pageOf = (address: string) =>
  pages.find((p) => p.path === address) ?? pages.find((p) => matchPath(p.path, address))

describe('URLs of the safety suite', () => {
  test.each(Object.entries(COME_TO))('the safety suite URL %s opens the screen %s', (address, screen) => {
    const page = pageOf(address)
    const params = (page && matchPath(page.path, address)?.params) ?? {}
    const reached = page?.redirect ? pageOf(fillPathParams(page.redirect, params)) : page
    expect([reached?.path, reached?.redirect, typeof reached?.load]).toEqual([screen, undefined, 'function'])
  })
})
