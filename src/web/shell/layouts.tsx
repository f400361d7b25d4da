import type { ComponentType } from 'react'
import { Outlet } from 'react-router'
import type { LayoutName } from './page.ts'

const Plain = () => (
  <main>
    <Outlet />
  </main>
)

export const layouts: Readonly<Record<LayoutName, ComponentType>> = {
  default: Plain,
  blank: Plain,
  login: Plain,
  'login-without-logo': Plain,
  reseller: Plain,
  maintenance: Plain,
  test: Plain,
}
