import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { queries } from '../api/query.ts'
import { printLight, theme, variables } from '../theme/theme.ts'
import { loadAll, ModulesContext, type WebModule } from './manifest/module.ts'
import { SearchContext } from './manifest/search.ts'
import type { Router } from './routes.tsx'

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

printLight()

// The scroll lock adds a style element and reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** The whole portal, out of its modules. */
export function Portal({ modules, router }: { modules: readonly WebModule[]; router: Router }) {
  const [loadSearch] = useState(() => () => loadAll(modules.flatMap((module) => module.search)))
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={queries}>
        <ModulesContext value={modules}>
          <SearchContext value={loadSearch}>
            <RouterProvider router={router} />
          </SearchContext>
        </ModulesContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
