import { Anchor, Group, Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { Link, Outlet } from 'react-router'
import type { LayoutName } from './faces/page.ts'
import { Mark } from './navigation/mark.tsx'
import classes from './pages/card.module.css'
import { useProvider } from './pages/facts.ts'
import { Shell } from './shell.tsx'

const Plain = () => (
  <main id="main">
    <Outlet />
  </main>
)

function Brand() {
  return (
    <Group gap="sm" component="header">
      <Mark size={40} />
      <Text fw={700} size="xl">
        {useProvider()}
      </Text>
    </Group>
  )
}

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
  <Card>
    <Brand />
  </Card>
)
const WithoutLogo = () => <Card />

/** For a reseller's customers: the provider's name is not theirs. */
const Reseller = () => (
  <Card>
    <Text component="header" fw={700} size="xl">
      Customer portal
    </Text>
  </Card>
)

export const layouts: Readonly<Record<LayoutName, ComponentType>> = {
  default: Shell,
  blank: Plain,
  login: WithLogo,
  'login-without-logo': WithoutLogo,
  reseller: Reseller,
  maintenance: WithLogo,
  test: Plain,
}
