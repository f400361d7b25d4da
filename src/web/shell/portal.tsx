import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { queries } from '../api/query.ts'
import { printLight, theme, variables } from '../theme/theme.ts'
import { FindsContext } from './manifest/finds.ts'
import { loadAll, ModulesContext, type WebModule } from './manifest/module.ts'
import type { Router } from './routes.tsx'

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

printLight()

// Scroll locking writes a style element of its own, and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** The whole portal, out of the faces of its modules. */
export function Portal({ modules, router }: { modules: readonly WebModule[]; router: Router }) {
  const [loadFinds] = useState(() => () => loadAll(modules.map((module) => module.finds)))
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={queries}>
        <ModulesContext value={modules}>
          <FindsContext value={loadFinds}>
            <RouterProvider router={router} />
          </FindsContext>
        </ModulesContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
