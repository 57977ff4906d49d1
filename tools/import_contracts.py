"""The project's own kind of import contract, for import-linter (see pyproject.toml)."""

import sys
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class PlainContract(Contract):
    """Some packages reach nothing but the standard library, directly or through other packages.

    import-linter's own `forbidden` contract wants every foreign package named,
    so it would not notice a new one. Packages that do not exist yet are passed over. Those listed
    as ``apart`` may reach foreign ones; that they are only imported when asked for is for tests.
    """

    type_name = "plain"

    modules: Any = fields.ListField(subfield=fields.StringField())
    apart: Any = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        for package in self.apart or []:
            for module in (package, *graph.find_descendants(package)):
                graph.remove_module(module)
        foreign = {
            module
            for module in graph.modules
            if graph.is_module_squashed(module) and module not in sys.stdlib_module_names
        }
        chains: list[tuple[str, ...]] = []
        for module in self.modules:
            if module not in graph.modules:
                continue
            for reached in sorted(foreign & graph.find_upstream_modules(module, as_package=True)):
                chain = graph.find_shortest_chain(module, reached, as_packages=True)
                chains.append(chain or (module, reached))
        return ContractCheck(kept=not chains, metadata={"chains": chains})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for chain in check.metadata["chains"]:
            output.print_error(" -> ".join(chain), bold=False)
