import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '../api/query.ts'
import { printInLightScheme, theme, themeVariables } from '../theme/theme.ts'
import { loadModuleContributions, ModulesContext, type WebModule } from './manifest/module.ts'
import { SearchGroupsContext } from './manifest/search.ts'
import type { AppRouter } from './routes.tsx'

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

printInLightScheme()

// The scroll lock reads the nonce for its style element from this variable.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** Root component of the portal, built from its modules. */
export function PortalApp({ modules, router }: { modules: readonly WebModule[]; router: AppRouter }) {
  const [loadSearch] = useState(() => () => loadModuleContributions(modules.flatMap((module) => module.search)))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModulesContext value={modules}>
          <SearchGroupsContext value={loadSearch}>
            <RouterProvider router={router} />
          </SearchGroupsContext>
        </ModulesContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
