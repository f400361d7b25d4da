import { Anchor, Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { Link, Outlet } from 'react-router'
import type { LayoutName } from './manifest/page.ts'
import css from './pages/brand-panel.module.css'
import classes from './pages/card.module.css'
import { useProviderName } from './pages/facts.ts'
import { ProductLogo } from './pages/mark.tsx'
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

const POSTS = [40, 160, 280, 400, 520]

/** Brand panel beside the sign-in form: stanchions with a chain between them. */
const BrandPanel = () => (
  <header className={css.panel}>
    <p className={css.brand}>
      <ProductLogo size={40} />
      {useProviderName()}
    </p>
    <p className={css.words}>Safety, people and sales for your business, in one place.</p>
    <svg className={css.picture} viewBox="0 0 560 220" aria-hidden="true" focusable="false">
      {POSTS.slice(1).map((x) => (
        <path key={x} className={css.chain} d={`M${x - 120} 62 Q${x - 60} 130 ${x} 62`} />
      ))}
      {POSTS.map((x) => (
        <path key={x} className={css.post} d={`M${x - 22} 40h44v10h-15v140h15v10h-44v-10h15V50h-15z`} />
      ))}
    </svg>
  </header>
)
