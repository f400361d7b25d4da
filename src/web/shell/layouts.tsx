import { Anchor, Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { Link, Outlet } from 'react-router'
import type { LayoutName } from './manifest/page.ts'
import { BrandPanel } from './pages/brand-panel.tsx'
import classes from './pages/card.module.css'
import { ShellLayout } from './shell.tsx'

const Plain = () => (
  <main id="main">
    <Outlet />
  </main>
)

const Card = ({ children }: { children?: ReactNode }) => (
  <div className={classes.login}>
    {children}
    <main id="main" className={classes.card}>
      <Outlet />
    </main>
    <footer>
      <Anchor component={Link} to="/help" size="sm">
        Help
      </Anchor>
    </footer>
  </div>
)

const WithLogo = () => (
  <div className={classes.branded}>
    <BrandPanel />
    <Card />
  </div>
)
const WithoutLogo = () => <Card />

/** Layout for a reseller's clients, without the provider's name. */
const Reseller = () => (
  <Card>
    <Text component="header" fw={700} size="xl">
      Customer portal
    </Text>
  </Card>
)

export const PAGE_LAYOUTS: Readonly<Record<LayoutName, ComponentType>> = {
  default: ShellLayout,
  blank: Plain,
  login: WithLogo,
  'login-without-logo': WithoutLogo,
  reseller: Reseller,
  maintenance: WithLogo,
  test: Plain,
}
