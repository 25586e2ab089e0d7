#!/usr/bin/env node
// Starts Tablewire, or says in plain words that this Node is too old for it.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Tablewire needs Node 24.7 or newer; this is Node ${process.versions.node}. ` +
      'Install it, or bring it along: npx -p node@24 -p tablewire tablewire <database>',
  )
  process.exitCode = 1
} else {
  const { main } = await import('../dist/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
}
